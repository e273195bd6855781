/** A day and its position on the axis, in pixels. */
export type PlacedDay = { day: string; x: number }
export type DayLabel = PlacedDay & {
  /** True if the label is the first one of its month. It then also names the month. */
  isFirstOfMonth: boolean
}

/** The distance between two labels, which have two digits. */
const DAY_DISTANCE_MIN = 18
/** The distance between two names of months. */
const MONTH_DISTANCE_MIN = 32

/**
 * Chooses the days that have a label, so that no label and no name of a month touches the one before.
 * The days are in order.
 */
export function chooseDayLabels(days: readonly PlacedDay[]): readonly DayLabel[] {
  const labels: DayLabel[] = []
  for (const { day, x } of days) {
    const before = labels.at(-1)
    const isFirstOfMonth = before?.day.slice(0, 7) !== day.slice(0, 7)
    const month = labels.findLast((label) => label.isFirstOfMonth)
    const hasRoom = before === undefined || x - before.x >= DAY_DISTANCE_MIN
    const hasRoomForMonth = month === undefined || x - month.x >= MONTH_DISTANCE_MIN
    if (hasRoom && (!isFirstOfMonth || hasRoomForMonth)) labels.push({ day, x, isFirstOfMonth })
  }
  return labels
}
