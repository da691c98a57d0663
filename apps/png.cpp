// SPDX-License-Identifier: Apache-2.0
#include "apps/png.h"

#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <memory>

#include "ligament/io/results.h"

namespace ligament::apps {
namespace {

template <auto release>
struct Releaser {
  template <class Object>
  void operator()(Object* object) const {
    release(object);
  }
};

}  // namespace

void write_png(const std::string& svg, double width, double height, double scale,
               const std::filesystem::path& file) {
  const std::unique_ptr<cairo_surface_t, Releaser<cairo_surface_destroy>> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(scale * width),
                                 static_cast<int>(scale * height)));
  const std::unique_ptr<cairo_t, Releaser<cairo_destroy>> cairo(cairo_create(surface.get()));
  cairo_set_source_rgb(cairo.get(), 1.0, 1.0, 1.0);
  cairo_paint(cairo.get());
  const std::unique_ptr<RsvgHandle, Releaser<g_object_unref>> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), nullptr));
  const RsvgRectangle area{0.0, 0.0, scale * width, scale * height};
  const bool drawn =
      handle && rsvg_handle_render_document(handle.get(), cairo.get(), &area, nullptr) != FALSE;
  if (!drawn || cairo_surface_write_to_png(surface.get(), file.c_str()) != CAIRO_STATUS_SUCCESS)
    throw ResultsError(fmt::format("{}: the picture cannot be written", file.string()));
}

}  // namespace ligament::apps
