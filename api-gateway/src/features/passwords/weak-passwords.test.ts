import { describe, expect, test } from 'vitest'
import { findPasswordWeakness } from './passwords.ts'

const CONTEXT = ['Anna Kováčová', 'anna.k@rockmail.example', 'Rock & Co']
const find = (password: string, context: readonly string[] = CONTEXT) =>
  findPasswordWeakness(password, { context, role: 'user', isMfaEnabled: false })

const GUESSED = [
  'Anna Kováčová',
  'annakováčová1',
  'KOVÁČOVÁ1984',
  '1984-kováčová',
  'anna.k@rockmail.example',
  'rockmail99',
  'Rock&Co!2026',
]

describe('a new password', () => {
  test.each(GUESSED)('%s is refused: it is a word that belongs to the person or site', (word) => {
    expect(find(word)).toContain('must not be your name')
  })

  test.each(GUESSED)('sabotaged twin: without those words %s is accepted', (word) => {
    expect(find(word, [])).toBeNull()
  })

  test.each(['Kováčová walks home', 'anna and a rock', '4801 7732 9915', 'correct horse battery'])(
    '%s is accepted: any characters, and a name within a longer text',
    (password) => {
      expect(find(password)).toBeNull()
    },
  )

  test.each(['password123', 'PASSWORD123', 'qwertyuiop', 'aaaaaaaabb'])(
    '%s is refused: it is common or repeats itself',
    (password) => {
      expect(find(password)).toMatch(/too common|too simple/)
    },
  )
})
