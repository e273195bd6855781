/** How much longer tests try than in `npm test`, for what the scorecard promises. */
export const SCORECARD_SIZES = {
  TORTURE_RUNS: '1000',
  TORTURE_EVENTS: '15000',
  TORTURE_BANK_SECONDS: '60',
  TORTURE_WORKER_KILLS: '12',
  TORTURE_NETWORK_ROUNDS: '3',
  TORTURE_CUT_SECONDS: '60',
  TORTURE_DATABASE_STOPS: '10',
  TORTURE_SLOW_CALLERS: '2000',
  TORTURE_SPRAYED_ACCOUNTS: '1000',
  TORTURE_LOGIN_TIMINGS: '500',
} as const

export const TORTURE_SIZES = {
  ...SCORECARD_SIZES,
  TORTURE_ROUNDS: '20',
  TORTURE_CUTS: '300',
  TORTURE_CRASHES: 'one by one',
} as const
