import { getCurrencyPrefix } from '@cairn/gateway-contracts/currency'

const DEFAULTS = { currency: 'USD', timeZone: 'UTC' }
const DAY_FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

// These variables are shared by the whole process, because a process serves one site.
let prefix = getCurrencyPrefix(DEFAULTS.currency)
let site = DEFAULTS
let minuteFormat = createMinuteFormat(DEFAULTS.timeZone)

/** Sets the currency and the time zone of all formatted texts. Called when settings are loaded. */
export function setSiteFormat(given: { currency: string; timeZone: string }): void {
  if (given.currency !== site.currency) prefix = getCurrencyPrefix(given.currency)
  if (given.timeZone !== site.timeZone) minuteFormat = createMinuteFormat(given.timeZone)
  site = given
}

/**
 * Formats an amount in the currency of the site, for example `$20` or `$1,250.50`. Zero cents are
 * omitted.
 */
export function formatMoney(minor: bigint): string {
  const exact = formatExactMoney(minor)
  return minor % 100n === 0n ? exact.slice(0, -3) : exact
}

/** Formats an amount with cents in the currency of the site, for example `$20.00`. */
export function formatExactMoney(minor: bigint): string {
  return minor < 0n ? `-${prefix}${formatCents(-minor)}` : `${prefix}${formatCents(minor)}`
}

/** Formats an amount with cents and without a currency, for example `1,250.50` or `-20.00`. */
export function formatCents(minor: bigint): string {
  const size = minor < 0n ? -minor : minor
  const whole = (size / 100n).toString().replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
  return `${minor < 0n ? '-' : ''}${whole}.${(size % 100n).toString().padStart(2, '0')}`
}

/** Formats a day, or the UTC day of a time, as the pages do: for example `Nov 25, 2026`. */
export function formatDay(at: string): string {
  return DAY_FORMAT.format(new Date(at))
}

/** Formats a time in the time zone of the site, for example `2026-11-25 10:30 Europe/Berlin`. */
export function formatSiteTime(at: string | number | Date): string {
  return `${formatSiteMinute(at)} ${site.timeZone}`
}

/** Formats a time in the time zone of the site, without naming the time zone. */
export function formatSiteMinute(at: string | number | Date): string {
  return minuteFormat.format(new Date(at))
}

/**
 * Creates a format for times such as `2026-11-25 10:30`, which is the Swedish format. The caller
 * keeps the format, because its creation is slow.
 */
function createMinuteFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
}
