import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

type TableFit = { box: RefObject<HTMLDivElement | null>; isTight: boolean }

/**
 * Tells whether the columns overflow the table's box. Compares the box with the widest content
 * since the page opened, so that the layout does not change while rows load.
 */
export function useTableFit(): TableFit {
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
