import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

type TableRoom = { box: RefObject<HTMLDivElement | null>; isTight: boolean }

/**
 * True where the columns, as wide as what they hold, would be cut off. It is found out before anything
 * is painted, and kept for the widest table seen, so that a list does not change its shape as it is read.
 */
export function useTableRoom(): TableRoom {
  const box = useRef<HTMLDivElement>(null)
  const [neededPx, setNeeded] = useState(0)
  const [widthPx, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    const tablePx = element?.querySelector('table')?.offsetWidth ?? 0
    if (element === null || tablePx <= element.clientWidth) return
    setWidth(element.clientWidth)
    setNeeded((before) => Math.max(before, tablePx))
  })
  return { box, isTight: widthPx < neededPx }
}
