//! For tests/abi.rs: writes the C header anew from the Rust ABI, reads the committed one back into Rust, and compiles a
//! C11 and a C++17 consumer of it.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let ffi = root.join("wireshark-ffi");
    let header = ffi.join("include/riftshark.h");
    for watched in ["wireshark-ffi/src", "wireshark-ffi/include", "wireshark-ffi/cbindgen.toml", "tests/abi"]
    {
        println!("cargo:rerun-if-changed={}", root.join(watched).display());
    }
    write_header(&ffi, &out.join("riftshark.h"));
    read_header(&header, &out.join("bindings.rs"));
    compile_consumers(&root);
}

/// Rust → C: what the header should be.
fn write_header(ffi: &Path, to: &Path) {
    let config = cbindgen::Config::from_file(ffi.join("cbindgen.toml")).expect("cbindgen.toml is readable");
    match cbindgen::generate_with_config(ffi, config) {
        Ok(bindings) => {
            bindings.write_to_file(to);
        }
        // left to the compiler, which says better what is wrong with the source
        Err(error) => println!("cargo:warning=the C header could not be written: {error}"),
    }
}

/// C → Rust: what a C compiler makes of the committed header.
fn read_header(header: &Path, to: &Path) {
    let bindings = bindgen::Builder::default()
        .header(header.display().to_string())
        .allowlist_item("(riftshark|RIFTSHARK)_.*")
        .layout_tests(false)
        .generate()
        .expect("the committed header is C that libclang can read (Debian: apt install libclang-dev)");
    bindings.write_to_file(to).expect("OUT_DIR can be written");
}

fn compile_consumers(root: &Path) {
    let include = root.join("wireshark-ffi/include");
    let consumer = |cpp: bool, standard: &str, file: &str| {
        let mut build = cc::Build::new();
        build.cpp(cpp).std(standard).include(&include).file(root.join("tests/abi").join(file));
        build.warnings(true).extra_warnings(true).warnings_into_errors(true).cpp_link_stdlib(None);
        build.compile(&file.replace('.', "_"));
    };
    consumer(false, "c11", "consumer.c");
    consumer(true, "c++17", "consumer.cpp");
}
