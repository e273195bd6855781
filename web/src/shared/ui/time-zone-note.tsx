import { getTimeZone, useDatePreferences } from '../dates/date-preferences.ts'

/** Names the time zone of all times on a page. */
export function TimeZoneNote() {
  return `Times in ${getTimeZone(useDatePreferences()).replaceAll('_', ' ')}`
}
