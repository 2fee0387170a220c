//! The program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    toolscope::cli::run(std::env::args_os()).into()
}
