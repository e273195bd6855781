import { addDays, getDayIn } from '@cairn/gateway-contracts'
import { getCurrentMinute } from './current-minute.ts'
import { type DatePreferences, getTimeZone, useDatePreferences } from './date-preferences.ts'

export const PERIODS = ['today', 'week', 'month', 'quarter'] as const
export type Period = (typeof PERIODS)[number]

/** The reader's current day and first day of the week. */
export type ReaderClock = {
  nowMs: number
  timeZone: string
  today: string
  /** Monday is 1, Sunday is 7. */
  firstWeekday: number
}

const MONDAY = 1

export function createReaderClock(preferences: DatePreferences, nowMs: number): ReaderClock {
  const timeZone = getTimeZone(preferences)
  const firstWeekday = getFirstWeekday(preferences.language)
  return { nowMs, timeZone, today: getDayIn(timeZone, nowMs), firstWeekday }
}

export function useReaderClock(): ReaderClock {
  return createReaderClock(useDatePreferences(), getCurrentMinute())
}

/** Returns the first day of the calendar period that contains today. */
export function getFirstDayOfPeriod(period: Period, { today, firstWeekday }: ReaderClock): string {
  const at = new Date(today)
  const month = at.getUTCMonth()
  switch (period) {
    case 'today':
      return today
    case 'week':
      return addDays(today, -((at.getUTCDay() - firstWeekday + 7) % 7))
    case 'month':
      return `${today.slice(0, 7)}-01`
    case 'quarter':
      return formatIsoDay(Date.UTC(at.getUTCFullYear(), month - (month % 3), 1))
  }
}

export function formatIsoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns the first day of the week in the chosen language. The default is Monday. */
function getFirstWeekday(language: string | null): number {
  if (language === null) return MONDAY
  // `getWeekInfo` is not in TypeScript's types and is missing in some browsers.
  const locale = new Intl.Locale(language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
  }
  return locale.getWeekInfo?.().firstDay ?? MONDAY
}
