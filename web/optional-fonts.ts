import type { Plugin } from 'vite'

/**
 * Makes the fonts optional: if a font arrives after the first paint, only the next pages use it. By
 * default, the font packages replace the fallback font on arrival, which moves the text.
 */
export function createOptionalFontsPlugin(): Plugin {
  return {
    name: 'cairn-optional-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/styles/app.css')) return null
      const changed = code.replaceAll(/font-display:\s*swap/g, 'font-display:optional')
      if (changed === code) this.error('the styles of the fonts have no font-display: swap')
      return { code: changed, map: null }
    },
  }
}
