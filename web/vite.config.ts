import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { createChunkCyclePlugin } from './chunk-cycles.ts'
import { createOptionalFontsPlugin } from './optional-fonts.ts'
import { parsePinnedKeys } from './pinned-keys.ts'
import { createPrecompressPlugin } from './precompress.ts'
import { createPrerenderPlugin } from './prerender.ts'
import { createScriptLimitPlugin } from './script-limits.ts'
import { createZodJsonSchemaPlugin } from './zod-json-schema.ts'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    createZodJsonSchemaPlugin(),
    createOptionalFontsPlugin(),
    createChunkCyclePlugin(),
    createScriptLimitPlugin(),
    createPrerenderPlugin(),
    createPrecompressPlugin(),
  ],
  define: {
    __PINNED_LEDGER_KEYS__: JSON.stringify(parsePinnedKeys(process.env.PINNED_LEDGER_KEYS)),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Modules are combined into groups, because many chunks of half a kilobyte compress worse
        // than a few larger chunks.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              // This group contains the modules that change least and that every page needs first.
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack)\/(?!.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js)|lucide-react\/dist\/esm\/(?!icons\/|lucide)|web\/src\/shared\/(ui\/join-classes|url\/navigation)/,
            },
            {
              // The public pages need neither mutations nor infinite queries. The code of both is
              // therefore in a separate chunk.
              name: 'writes',
              test: /@tanstack\/.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js/,
            },
            {
              name: 'ui',
              test: /contracts\/src\/counted|web\/src\/shared\/(ui\/(notice|term-info|card|deferred|failed-state|lazy-part|skeleton|text-link|field|control|money-input)\.tsx?|money\/(?!asset-text|fees)|dates\/sentence-date)|icons\/(info|clock|quote|badge-check|chevron-down|refresh-cw|circle-check|circle-exclamation-point|circle-x)\.mjs/,
            },
            {
              // This group contains the parts that the landing page shares with other pages of the
              // site.
              name: 'site',
              test: /web\/src\/(features\/(site\/(call-to-action|claim-figure|how-to-start|not-claimed|plan-rows|plans-section|content-mark|endorsements|reserve-evidence|step-pictures|why-us)|endorsements\/public-queries|plans\/(payout|queries)|reserve\/coverage-(query|lines))|shared\/(ui\/(section|utc-moment|cash-bar)|money\/percent))/,
            },
            {
              // Each chunk of its own makes the list of chunks longer that every page loads first.
              name: 'icons',
              test: /icons\/(arrow-left-right|ban|circle-dashed|coins|download|file-text|handshake|hourglass|key-round|landmark|mail|plus|scroll-text|wallet)\.mjs/,
            },
            {
              // This group contains the inputs of lists whose text is in the URL.
              name: 'filters',
              test: /web\/src\/shared\/ui\/(date-span|filter-bar|search-field|typed-text)\.tsx?/,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:8080' } },
  preview: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
