export const PERIODS = ['today', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

const SUNDAY_TO_MONDAY = 6

/** When the calendar period that holds `now` began, in the reader's zone; weeks begin on Monday. */
export function periodStart(period: Period, now: Date): Date {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  switch (period) {
    case 'today':
      return start
    case 'week':
      start.setDate(start.getDate() - ((start.getDay() + SUNDAY_TO_MONDAY) % 7))
      return start
    case 'month':
      start.setDate(1)
      return start
  }
}
