// SPDX-License-Identifier: Apache-2.0
// ligament view SCENE: simulates live, for browsers.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/commands.h"
#include "apps/interrupt.h"
#include "apps/live/server.h"
#include "apps/overrides.h"
#include "apps/page.h"
#include "apps/start.h"

namespace ligament::apps {
namespace {

struct ViewArguments {
  std::string scene;
  std::vector<std::string> set;
  std::string host = "127.0.0.1";
  int port = 8642;
};

int view_scene(const ViewArguments& arguments) {
  if (page().empty()) throw InputError("this program was built without the page of the live view");
  const Scene scene = read_scene(arguments.scene, parse_overrides(arguments.set));
  print_warnings(scene);
  State start = make_start(scene, arguments.scene);
  catch_interrupts();
  Session session(scene, std::move(start));
  if (const std::string failure = session.failure(); !failure.empty())
    fmt::print(stderr, "ligament: warning: no step can be taken: {}\n", failure);
  LiveServer server(session, scene, arguments.host, arguments.port);
  if (!is_loopback(arguments.host))
    fmt::print(stderr,
               "ligament: warning: listening on {}: everybody who reaches this address can watch "
               "and drive the simulation\n",
               arguments.host);
  const bool v6 = arguments.host.find(':') != std::string::npos;
  fmt::print("{} is ready at http://{}{}{}:{}/\nCtrl-C ends it.\n", scene.name, v6 ? "[" : "",
             arguments.host, v6 ? "]" : "", server.port());
  std::fflush(stdout);
  while (interrupt_signal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  session.stop();
  server.stop();
  return ok;
}

}  // namespace

void add_view_command(CLI::App& app, int& exit_code) {
  CLI::App* view = app.add_subcommand("view", "Simulate live in the browser");
  auto arguments = std::make_shared<ViewArguments>();
  view->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  add_set_option(*view, arguments->set);
  view->add_option("--port", arguments->port, "Port to listen on (default: 8642; 0: any)")
      ->type_name("P")
      ->check(CLI::Range(0, 65535));
  view->add_option("--host", arguments->host,
                   "Address to listen on (default: 127.0.0.1, this machine only)")
      ->type_name("ADDRESS");
  view->callback([arguments, &exit_code] { exit_code = view_scene(*arguments); });
}

}  // namespace ligament::apps
