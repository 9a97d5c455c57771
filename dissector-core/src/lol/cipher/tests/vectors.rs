//! The vectors that the library of Eric Young publishes for Blowfish.

use super::*;

/// Key, plain block and enciphered block.
const VECTORS: [(u64, u64, u64); 33] = [
    (0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x4EF9_9745_6198_DD78),
    (0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0x5186_6FD5_B85E_CB8A),
    (0x3000_0000_0000_0000, 0x1000_0000_0000_0001, 0x7D85_6F9A_6130_63F2),
    (0x1111_1111_1111_1111, 0x1111_1111_1111_1111, 0x2466_DD87_8B96_3C9D),
    (0x0123_4567_89AB_CDEF, 0x1111_1111_1111_1111, 0x61F9_C380_2281_B096),
    (0x1111_1111_1111_1111, 0x0123_4567_89AB_CDEF, 0x7D0C_C630_AFDA_1EC7),
    (0xFEDC_BA98_7654_3210, 0x0123_4567_89AB_CDEF, 0x0ACE_AB0F_C6A0_A28D),
    (0x7CA1_1045_4A1A_6E57, 0x01A1_D6D0_3977_6742, 0x59C6_8245_EB05_282B),
    (0x0131_D961_9DC1_376E, 0x5CD5_4CA8_3DEF_57DA, 0xB1B8_CC0B_250F_09A0),
    (0x07A1_133E_4A0B_2686, 0x0248_D438_06F6_7172, 0x1730_E577_8BEA_1DA4),
    (0x3849_674C_2602_319E, 0x5145_4B58_2DDF_440A, 0xA25E_7856_CF26_51EB),
    (0x04B9_15BA_43FE_B5B6, 0x42FD_4430_5957_7FA2, 0x3538_82B1_09CE_8F1A),
    (0x0113_B970_FD34_F2CE, 0x059B_5E08_51CF_143A, 0x48F4_D088_4C37_9918),
    (0x0170_F175_468F_B5E6, 0x0756_D8E0_7747_61D2, 0x4321_93B7_8951_FC98),
    (0x4329_7FAD_38E3_73FE, 0x7625_14B8_29BF_486A, 0x13F0_4154_D69D_1AE5),
    (0x07A7_1370_45DA_2A16, 0x3BDD_1190_4937_2802, 0x2EED_DA93_FFD3_9C79),
    (0x0468_9104_C2FD_3B2F, 0x2695_5F68_35AF_609A, 0xD887_E039_3C2D_A6E3),
    (0x37D0_6BB5_16CB_7546, 0x164D_5E40_4F27_5232, 0x5F99_D04F_5B16_3969),
    (0x1F08_260D_1AC2_465E, 0x6B05_6E18_759F_5CCA, 0x4A05_7A3B_24D3_977B),
    (0x5840_2364_1ABA_6176, 0x004B_D6EF_0917_6062, 0x4520_31C1_E4FA_DA8E),
    (0x0258_1616_4629_B007, 0x480D_3900_6EE7_62F2, 0x7555_AE39_F59B_87BD),
    (0x4979_3EBC_79B3_258F, 0x4375_40C8_698F_3CFA, 0x53C5_5F9C_B49F_C019),
    (0x4FB0_5E15_15AB_73A7, 0x072D_43A0_7707_5292, 0x7A8E_7BFA_937E_89A3),
    (0x49E9_5D6D_4CA2_29BF, 0x02FE_5577_8117_F12A, 0xCF9C_5D7A_4986_ADB5),
    (0x0183_10DC_409B_26D6, 0x1D9D_5C50_18F7_28C2, 0xD1AB_B290_658B_C778),
    (0x1C58_7F1C_1392_4FEF, 0x3055_3228_6D6F_295A, 0x55CB_3774_D13E_F201),
    (0x0101_0101_0101_0101, 0x0123_4567_89AB_CDEF, 0xFA34_EC48_47B2_68B2),
    (0x1F1F_1F1F_0E0E_0E0E, 0x0123_4567_89AB_CDEF, 0xA790_7951_08EA_3CAE),
    (0xE0FE_E0FE_F1FE_F1FE, 0x0123_4567_89AB_CDEF, 0xC39E_072D_9FAC_631D),
    (0x0000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x0149_33E0_CDAF_F6E4),
    (0xFFFF_FFFF_FFFF_FFFF, 0x0000_0000_0000_0000, 0xF21E_9A77_B71C_49BC),
    (0x0123_4567_89AB_CDEF, 0x0000_0000_0000_0000, 0x2459_4688_5754_369A),
    (0xFEDC_BA98_7654_3210, 0xFFFF_FFFF_FFFF_FFFF, 0x6B5C_5A9C_5D9E_0A5A),
];

/// The key of which the first 4, 5, 6 … bytes are a key each.
const LONG_KEY: [u8; 24] = *b"\xF0\xE1\xD2\xC3\xB4\xA5\x96\x87\x78\x69\x5A\x4B\x3C\x2D\x1E\x0F\
    \x00\x11\x22\x33\x44\x55\x66\x77";

/// What each of them makes of one block, from the key of 4 bytes on.
const BY_LENGTH: [u64; 21] = [
    0xBE1E_6394_0864_0F05,
    0xB39E_4448_1BDB_1E6E,
    0x9457_AA83_B192_8C0D,
    0x8BB7_7032_F960_629D,
    0xE87A_244E_2CC8_5E82,
    0x1575_0E7A_4F4E_C577,
    0x122B_A70B_3AB6_4AE0,
    0x3A83_3C9A_FFC5_37F6,
    0x9409_DA87_A90F_6BF2,
    0x884F_8062_5060_B8B4,
    0x1F85_031C_19E1_1968,
    0x79D9_373A_714C_A34F,
    0x9314_2887_EE3B_E15C,
    0x0342_9E83_8CE2_D14B,
    0xA429_9E27_469F_F67B,
    0xAFD5_AED1_C1BC_96A8,
    0x1085_1C0E_3858_DA9F,
    0xE6F5_1ED7_9B9D_B21F,
    0x64A6_E14A_FD36_B46F,
    0x80C7_D7D4_5A54_79AD,
    0x0504_4B62_FA52_D080,
];

#[test]
fn blocks_are_enciphered_as_published_and_back() {
    for (key, plain, enciphered) in VECTORS {
        let schedule = Schedule::new(&key.to_be_bytes()).unwrap();
        let mut block = plain.to_be_bytes();
        schedule.encipher(&mut block);
        assert_eq!(u64::from_be_bytes(block), enciphered, "{key:016X} {plain:016X}");
        schedule.decipher(&mut block);
        assert_eq!(u64::from_be_bytes(block), plain, "{key:016X} {plain:016X}");
    }
}

#[test]
fn keys_of_any_length_are_as_published() {
    for (enciphered, length) in BY_LENGTH.into_iter().zip(4..) {
        let mut block = 0xFEDC_BA98_7654_3210u64.to_be_bytes();
        Schedule::new(&LONG_KEY[..length]).unwrap().encipher(&mut block);
        assert_eq!(u64::from_be_bytes(block), enciphered, "{length} bytes");
    }
    let has_schedule = |length: usize| Schedule::new(&[1; 60][..length]).is_some();
    assert_eq!([3, 4, 56, 57].map(has_schedule), [false, true, true, false]);
}

#[test]
fn blocks_do_not_depend_on_one_another() {
    let (key, plain, enciphered) = VECTORS[7];
    let schedule = Schedule::new(&key.to_be_bytes()).unwrap();
    let tail = [1, 2, 3, 4, 5, 6, 7];
    let mut payload = [&plain.to_be_bytes()[..], &plain.to_be_bytes(), &tail].concat();
    schedule.encipher(&mut payload);
    assert_eq!(payload, [&enciphered.to_be_bytes()[..], &enciphered.to_be_bytes(), &tail].concat());
    schedule.decipher(&mut payload);
    assert_eq!(payload, [&plain.to_be_bytes()[..], &plain.to_be_bytes(), &tail].concat());
    let mut short = tail;
    schedule.encipher(&mut short);
    schedule.decipher(&mut short);
    assert_eq!(short, tail, "less than a block is clear");
}
