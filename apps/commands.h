// SPDX-License-Identifier: Apache-2.0
// The subcommands of `ligament`: each adds itself to the command line and runs when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace ligament::apps {

enum ExitCode : int {
  ok = 0,
  failed = 1,           // the run or the solve did not succeed: the machine, not the input
  bad_input = 2,        // usage, scene, files
  internal_error = 70,  // ours: please report
  interrupted = 130     // Ctrl-C; 128 + the number of the signal
};

// Bad input that is no scene: main prints it and returns bad_input.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `exit_code` is set when the command runs, and must outlive the parsing.
void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_advise_command(CLI::App& app, int& exit_code);
void add_contacts_command(CLI::App& app, int& exit_code);
void add_solve_command(CLI::App& app, int& exit_code);
void add_convert_command(CLI::App& app, int& exit_code);
void add_plot_command(CLI::App& app, int& exit_code);
void add_papers_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);

}  // namespace ligament::apps
