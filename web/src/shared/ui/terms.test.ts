import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { TERMS } from './terms.ts'

/** Returns the text of each entry on one line, by its name. */
function readGlossary(): ReadonlyMap<string, string> {
  const file = readFileSync(new URL('../../../../docs/glossary.md', import.meta.url), 'utf8')
  const entries = file.split(/^- \*\*/mu).slice(1)
  return new Map(
    entries.map((entry) => {
      const [name = '', ...text] = entry.split('**: ')
      return [name, text.join('**: ').replaceAll(/\s+/gu, ' ').replaceAll("'", '’')]
    }),
  )
}

test.each(Object.entries(TERMS))('the glossary explains "%s" as the pages do', (name, { text }) => {
  expect(readGlossary().get(name)?.slice(0, text.length)).toBe(text)
})
