#!/usr/bin/env python3
"""Makes captures/dtls.pcap: the second session of captures/stock.pcap, spoken through DTLS 1.2.

Two ends of `openssl` (s_client and s_server, with a pre-shared key) talk through a relay on the loopback that keeps what
passes; addresses and times are then those of the other samples. Random numbers make it another file on every run, so it
is not made anew by `make-captures`. Needs tshark and openssl; run it in the checkout's root.
"""
import select
import socket
import struct
import subprocess
import threading
import time

KEY = "52696674736861726b2044544c53"  # "Riftshark DTLS"
CIPHER = "PSK-AES128-GCM-SHA256"
LISTEN, RELAY = ("127.0.0.1", 47100), ("127.0.0.1", 47101)
CLIENT, SERVER = (bytes([192, 0, 2, 10]), 50006), (bytes([198, 51, 100, 20]), 7788)
BEGIN = 1335873600 * 10**6  # as the other samples: 2012-05-01 12:00:00 UTC


def openssl(*args):
    return subprocess.Popen(["openssl", *args, "-dtls1_2", "-psk", KEY, "-cipher", CIPHER, "-quiet"],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def said():
    """The datagrams of the session: whether the client sends, and the bytes."""
    call = ["tshark", "-r", "captures/stock.pcap", "-Y", "udp.port==7778", "-T", "fields", "-e", "udp.srcport", "-e", "udp.payload"]
    for line in subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines():
        port, payload = line.split()
        yield port == "50003", bytes.fromhex(payload)


def talk():
    seen, peer = [], []
    server = openssl("s_server", "-psk_hint", "x", "-nocert", "-accept", "%s:%d" % LISTEN)
    time.sleep(0.5)
    front, back = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    front.bind(RELAY)
    back.connect(LISTEN)

    def relay():
        while True:
            for ready in select.select([front, back], [], [])[0]:
                data, sender = ready.recvfrom(65535)
                seen.append((ready is front, data))
                if ready is front:
                    peer[:] = [sender]
                    back.send(data)
                else:
                    front.sendto(data, peer[0])

    threading.Thread(target=relay, daemon=True).start()
    client = openssl("s_client", "-connect", "%s:%d" % RELAY)
    time.sleep(1)
    for by_client, payload in said():
        end = client if by_client else server
        end.stdin.write(payload)  # a record each
        end.stdin.flush()
        time.sleep(0.1)
    time.sleep(0.3)
    client.kill()
    server.kill()
    return seen


def frame(number, source, destination, payload):
    udp = struct.pack("!HHHH", source[1], destination[1], 8 + len(payload), 0) + payload
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), number, 0x4000, 64, 17, 0, source[0], destination[0])
    total = sum(struct.unpack("!10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    head = head[:10] + struct.pack("!H", ~total & 0xFFFF) + head[12:]
    return b"\2\0" + destination[0] + b"\2\0" + source[0] + b"\x08\0" + head + udp


def main():
    with open("captures/dtls.pcap", "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for number, (by_client, payload) in enumerate(talk(), 1):
            ends = (CLIENT, SERVER) if by_client else (SERVER, CLIENT)
            data = frame(number, *ends, payload)
            at = BEGIN + number * 20000
            file.write(struct.pack("<IIII", at // 10**6, at % 10**6, len(data), len(data)) + data)


main()
