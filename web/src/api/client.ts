import { type ApiClient, createApiClient } from '@cairn/gateway-contracts'

import { askForFactor } from '../session/fresh-factor.ts'
import { codeOf } from './failure.ts'

/** The gateway serves this page and its API from one origin. */
const client = createApiClient({
  baseUrl: '',
  fetch: (input, init) => window.fetch(input, init),
})

/** Where the server wants the second factor once more, the very same request is sent again after it. */
export const call: ApiClient['call'] = async (endpoint, ...rest) => {
  try {
    return await client.call(endpoint, ...rest)
  } catch (error) {
    if (codeOf(error) !== 'STEP_UP_REQUIRED' || !(await askForFactor())) throw error
    return await client.call(endpoint, ...rest)
  }
}
