// SPDX-License-Identifier: Apache-2.0
// The `ligament` command.

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "apps/commands.h"
#include "ligament/io/csv_table.h"
#include "ligament/io/results.h"
#include "ligament/io/scene.h"
#include "ligament/version.h"

namespace ligament::apps {
namespace {

int complain(const std::string& what, ExitCode code) {
  fmt::print(stderr, "ligament: {}\n", what);
  return code;
}

void add_help_command(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Say how a command is used");
  auto name = std::make_shared<std::string>();
  help->add_option("COMMAND", *name, "The command");
  help->callback([&app, name] {
    const auto is_meant = [&](const CLI::App* command) { return command->get_name() == *name; };
    const auto found = app.get_subcommands(is_meant);
    if (!name->empty() && found.empty())
      throw InputError(fmt::format("there is no command \"{}\"", *name));
    // app.help() would be that of the chosen command, which is `help`.
    const auto& formatter = *app.get_formatter();
    fmt::print("{}", name->empty()
                         ? formatter.make_help(&app, "ligament", CLI::AppFormatMode::Normal)
                         : found.front()->help("ligament"));
  });
}

// What CLI11 has to say about the arguments; help and version count as success.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  return complain(fmt::format("{}\nTry `ligament help`.", error.what()), bad_input);
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"Ligament simulates rigid multibody systems with relaxed constraints.", "ligament"};
  app.set_version_flag("--version", fmt::format("ligament {}", version_string));
  app.require_subcommand(1);
  int exit_code = ok;
  add_run_command(app, exit_code);
  add_view_command(app, exit_code);
  add_plot_command(app, exit_code);
  add_check_command(app, exit_code);
  add_advise_command(app, exit_code);
  add_contacts_command(app, exit_code);
  add_solve_command(app, exit_code);
  add_convert_command(app, exit_code);
  add_papers_command(app, exit_code);
  add_help_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  // A full disk behind standard output shows up here at the latest.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return complain("standard output cannot be written", bad_input);
  return exit_code;
}

int run_guarded(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const SceneError& error) {
    return complain(error.what(), bad_input);
  } catch (const ResultsError& error) {
    return complain(error.what(), bad_input);
  } catch (const CsvError& error) {
    return complain(error.what(), bad_input);
  } catch (const InputError& error) {
    return complain(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory for this", bad_input);
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}\nPlease report this.", error.what()),
                    internal_error);
  }
}

}  // namespace
}  // namespace ligament::apps

int main(int argc, char** argv) { return ligament::apps::run_guarded(argc, argv); }
