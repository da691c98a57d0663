// SPDX-License-Identifier: Apache-2.0
#include "apps/live/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "apps/live/messages.h"
#include "apps/page.h"
#include "ligament/io/replay/replay.h"

namespace ligament::apps {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_streams = 32;               // browsers that watch; each takes a thread
constexpr std::size_t threads = 48;            // the rest is for orders
constexpr std::size_t most_bytes = 1U << 16U;  // of an order
constexpr auto heartbeat = std::chrono::milliseconds(1000);

// "localhost:8642" without the port; "[::1]:8642" is "::1".
std::string name_in(const std::string& host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

void answer_error(httplib::Response& response, int status, const std::string& what) {
  response.status = status;
  response.set_content(Json{{"error", what}}.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
}

}  // namespace

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

struct LiveServer::Implementation {
  Implementation(Session& the_session, const Scene& scene, bool loopback_only)
      : session(the_session),
        scene_text(make_scene_json(scene).dump(-1, ' ', false, Json::error_handler_t::replace)),
        page_text(fill_page(page(), "")),
        loopback(loopback_only) {
    server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
    // Without the library's SO_REUSEPORT, by which two servers could share a port.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_payload_max_length(most_bytes);
    server.set_read_timeout(5);
    server.set_write_timeout(5);
    server.set_keep_alive_max_count(1000);
    server.set_tcp_nodelay(true);
    server.set_exception_handler([](const auto&, auto& response, std::exception_ptr) {
      answer_error(response, 500, "internal error");
    });
    server.Get("/", guarded([this](const auto&, auto& response) {
                 response.set_content(page_text, "text/html; charset=utf-8");
               }));
    server.Get("/scene", guarded([this](const auto&, auto& response) {
                 response.set_content(scene_text, "application/json");
               }));
    server.Get("/state", guarded([this](const auto&, auto& response) {
                 response.set_content(session.state_json(), "application/json");
               }));
    server.Get("/events", guarded([this](const auto&, auto& response) { stream(response); }));
    server.Post("/orders",
                guarded([this](const auto& request, auto& response) { obey(request, response); }));
  }

  // Not before a request is read to its end: what is left of one that is refused would be taken for
  // the next one of its connection.
  httplib::Server::Handler guarded(httplib::Server::Handler handler) const {
    return [this, handler = std::move(handler)](const auto& request, auto& response) {
      if (guard(request, response)) handler(request, response);
    };
  }

  // Pages of other sites, and names that others made point here, are refused.
  bool guard(const httplib::Request& request, httplib::Response& response) const {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    const std::string host = request.get_header_value("Host");
    if (loopback && !is_loopback(name_in(host))) {
      answer_error(response, 403, "this server answers to localhost only");
      return false;
    }
    const std::string origin = request.get_header_value("Origin");
    if (!origin.empty() && origin != "http://" + host) {
      answer_error(response, 403, "this server takes orders from its own page only");
      return false;
    }
    return true;
  }

  void obey(const httplib::Request& request, httplib::Response& response) {
    if (!request.get_header_value("Content-Type").starts_with("application/json")) {
      answer_error(response, 415, "an order must be of the type application/json");
      return;
    }
    const Json order = Json::parse(request.body, nullptr, false);
    if (!order.is_object()) {
      answer_error(response, 400, "an order must be a JSON object such as {\"do\": \"play\"}");
      return;
    }
    try {
      response.set_content(session.obey(order), "application/json");
    } catch (const OrderError& error) {
      answer_error(response, 400, error.what());
    } catch (const SceneError& error) {
      answer_error(response, 400, error.what());
    }
  }

  void stream(httplib::Response& response) {
    if (streams.fetch_add(1) >= most_streams) {
      --streams;
      answer_error(response, 503, fmt::format("{} browsers watch already", most_streams));
      return;
    }
    auto last = std::make_shared<std::uint64_t>(0);
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, last](std::size_t, httplib::DataSink& sink) { return send(sink, *last); },
        [this](bool) { --streams; });
  }

  // One message, or a sign of life: a browser that left is noticed by that.
  bool send(httplib::DataSink& sink, std::uint64_t& last) {
    Broadcast& broadcast = session.broadcast();
    const auto message = broadcast.wait(last, heartbeat);
    if (broadcast.closed()) {
      sink.done();
      return true;
    }
    std::string text = ": alive\n\n";
    if (message) {
      last = message->number;
      text = fmt::format("event: status\ndata: {}\n\n", message->status);
      if (!message->frame.empty())
        text += fmt::format("event: frame\ndata: {}\n\n", message->frame);
    }
    return sink.write(text.data(), text.size());
  }

  Session& session;
  const std::string scene_text, page_text;
  const bool loopback;
  std::atomic<int> streams = 0;
  httplib::Server server;
  int port = 0;
  std::thread thread;
};

LiveServer::LiveServer(Session& session, const Scene& scene, const std::string& host, int port)
    : implementation_(std::make_unique<Implementation>(session, scene, is_loopback(host))) {
  httplib::Server& server = implementation_->server;
  errno = 0;
  if (port == 0)
    implementation_->port = server.bind_to_any_port(host);
  else
    implementation_->port = server.bind_to_port(host, port) ? port : -1;
  if (implementation_->port < 0)
    throw InputError(errno == EADDRINUSE
                         ? fmt::format("port {} is busy: another program listens there; --port "
                                       "names another, --port 0 takes any that is free",
                                       port)
                         : fmt::format("cannot listen on {} port {}: {}", host, port,
                                       errno ? std::strerror(errno) : "no such address"));
  implementation_->thread = std::thread([this] { implementation_->server.listen_after_bind(); });
}

LiveServer::~LiveServer() { stop(); }

int LiveServer::port() const { return implementation_->port; }

void LiveServer::stop() {
  if (!implementation_->thread.joinable()) return;
  implementation_->server.stop();
  implementation_->thread.join();
}

}  // namespace ligament::apps
