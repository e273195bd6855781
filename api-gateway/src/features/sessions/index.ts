export { type Entry, replaceSession, startSession } from './entry.ts'
export { requireSameCredentials } from './same-credentials.ts'
export { isRemembered, listSessions } from './session-list.ts'
export {
  closeSession,
  closeSessionsOf,
  createToken,
  type FactorUse,
  getFactorUse,
  hashToken,
  NO_FACTOR_USED,
  readSessionToken,
  recordStepUp,
} from './sessions.ts'
export { CHALLENGE_SECONDS, createVisitCookies } from './visit-cookies.ts'
