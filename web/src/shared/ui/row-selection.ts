import { useState } from 'react'

/** The rows of a list that the user has selected. One action can be carried out on all of them. */
export type RowSelection<Row> = {
  /** The selected rows in the order of the list. */
  rows: readonly Row[]
  /** True if at least one row of the list can be selected, or probably can while the list loads. */
  isOffered: boolean
  areAllSelected: boolean
  isSelectable: (row: Row) => boolean
  isSelected: (row: Row) => boolean
  toggle: (row: Row) => void
  toggleAll: () => void
  clear: () => void
}

/**
 * Stores the selection of a list. Only shown rows are selected, so no action affects a row that the
 * user cannot see.
 */
export function useRowSelection<Row>(parts: {
  rows: readonly Row[] | undefined
  /** True if the list probably has a row that can be selected. It is used until the rows have loaded. */
  isExpected: boolean
  getRowId: (row: Row) => string
  isSelectable: (row: Row) => boolean
}): RowSelection<Row> {
  const { rows = [], isExpected, getRowId, isSelectable } = parts
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const selectable = rows.filter(isSelectable)
  const selected = selectable.filter((row) => keys.has(getRowId(row)))
  const areAllSelected = selectable.length > 0 && selected.length === selectable.length
  return {
    rows: selected,
    isOffered: parts.rows === undefined ? isExpected : selectable.length > 0,
    areAllSelected,
    isSelectable,
    isSelected: (row) => keys.has(getRowId(row)) && isSelectable(row),
    toggle: (row) => {
      const next = new Set(selected.map(getRowId))
      if (!next.delete(getRowId(row))) next.add(getRowId(row))
      setKeys(next)
    },
    toggleAll: () => setKeys(new Set(areAllSelected ? [] : selectable.map(getRowId))),
    clear: () => setKeys(new Set()),
  }
}
