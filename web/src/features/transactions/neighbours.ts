export type Neighbours = { previous: string | null; next: string | null }

/**
 * Returns the ids before and after an entry of the list. Both ids are null if the list does not
 * contain the entry.
 */
export function findNeighbours(ids: readonly string[], id: string | null): Neighbours {
  const place = id === null ? -1 : ids.indexOf(id)
  if (place < 0) return { previous: null, next: null }
  return { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null }
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

export type PanelKey = 'previous' | 'next' | 'approve' | 'decline'

/**
 * Maps keys to actions: `j` and the right arrow to `next`, `k` and the left arrow to `previous`,
 * `a` to `approve`, `d` to `decline`. Other keys give null.
 */
export function readPanelKey(pressed: Key): PanelKey | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.key === 'j' || pressed.key === 'ArrowRight') return 'next'
  if (pressed.key === 'k' || pressed.key === 'ArrowLeft') return 'previous'
  if (pressed.key === 'a') return 'approve'
  return pressed.key === 'd' ? 'decline' : null
}
