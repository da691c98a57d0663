// SPDX-License-Identifier: Apache-2.0
// Serves a live simulation to browsers over HTTP.
//
//   GET  /        the page
//   GET  /scene   the machine
//   GET  /events  frames and statuses as server-sent events, until the browser leaves
//   GET  /state   poses with all digits
//   POST /orders  an order as JSON; answers with the status after it, or 400 and what is wrong
//
// On loopback only pages of this server may give orders: a web page elsewhere that knows the port
// is refused by the names in Host and Origin.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "apps/live/session.h"

namespace ligament::apps {

class LiveServer {
 public:
  // Binds at once. Throws InputError if it cannot: port 0 takes any that is free.
  LiveServer(Session& session, const Scene& scene, const std::string& host, int port);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const;
  void stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Whether an address is of this machine only.
bool is_loopback(const std::string& host);

}  // namespace ligament::apps
