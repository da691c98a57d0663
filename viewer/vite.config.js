// SPDX-License-Identifier: Apache-2.0
// Builds one file, dist/index.html, that holds its script and its style and loads nothing.
import { defineConfig } from "vite";

// Puts what Vite would write beside the page into it.
function inlineEverything() {
  return {
    name: "inline-everything",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk") {
          // "</script" in a string would end the element.
          const code = item.code.replace(/<\/script/gi, "<\\/script");
          page.source = page.source.replace(/<script type="module"[^>]*><\/script>/, "");
          page.source = page.source.replace(
            "</body>", () => `<script type="module">${code}</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          page.source = page.source.replace(
            /<link rel="stylesheet"[^>]*>/, () => `<style>${item.source}</style>`);
        } else {
          continue;
        }
        delete bundle[name];
      }
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    outDir: process.env.LIGAMENT_VIEWER_OUT ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1 << 20,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  plugins: [inlineEverything()],
});
