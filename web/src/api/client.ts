import { createApiClient } from '@cairn/gateway-contracts'

/** The gateway serves this page and its API from one origin. */
export const { call } = createApiClient({
  baseUrl: '',
  fetch: (input, init) => window.fetch(input, init),
})
