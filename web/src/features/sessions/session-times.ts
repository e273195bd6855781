import type { SessionLife } from '@cairn/gateway-contracts'

const SECOND_MS = 1_000
/** The warning appears this number of milliseconds before the session ends. */
const WARNING_MS = 180_000
/**
 * The poll interval during the warning, in milliseconds. Polls are needed because another tab may
 * have extended the session.
 */
const WARNED_POLL_MS = 10_000
const LOOK_MS_MAX = 3_600_000

/**
 * The end of the session as a time of the clock of this browser. The clock of the server may show a
 * different time.
 */
export type KnownLife = { askedAtMs: number; endsAtMs: number; canBeKept: boolean }

/**
 * Converts the server's durations to times. `canBeKept` is false if the absolute limit of the
 * session comes first, so that activity cannot extend the session. The user must then log in again.
 */
export function toSessionEnd(
  { idleSecondsLeft, secondsLeft }: SessionLife,
  nowMs: number,
): KnownLife {
  return {
    askedAtMs: nowMs,
    endsAtMs: nowMs + idleSecondsLeft * SECOND_MS,
    canBeKept: idleSecondsLeft < secondsLeft,
  }
}

export function isWarned({ askedAtMs, endsAtMs }: KnownLife): boolean {
  return endsAtMs - askedAtMs <= WARNING_MS
}

/**
 * Returns the delay until the session is read again. Before the warning is shown, the delay ends no
 * later than the start of the warning. While the warning is shown, the delay is short.
 */
export function getNextCheckMs(life: KnownLife): number {
  if (isWarned(life)) return WARNED_POLL_MS
  return Math.min(LOOK_MS_MAX, life.endsAtMs - life.askedAtMs - WARNING_MS)
}

/** Formats the time left, such as `2:05`. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
