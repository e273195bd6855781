export type Neighbours = { previous: string | null; next: string | null }

/** What stands before and after one entry of a list; nothing where it is not in it. */
export function neighboursOf(ids: readonly string[], id: string | null): Neighbours {
  const place = id === null ? -1 : ids.indexOf(id)
  if (place < 0) return { previous: null, next: null }
  return { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null }
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** `j` and the right arrow go on, `k` and the left one back; null for any other key. */
export function stepOf(pressed: Key): 'previous' | 'next' | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.key === 'j' || pressed.key === 'ArrowRight') return 'next'
  if (pressed.key === 'k' || pressed.key === 'ArrowLeft') return 'previous'
  return null
}
