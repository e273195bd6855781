import { type ApiClient, createApiClient } from '@cairn/gateway-contracts'

import { requestStepUp } from '../session/step-up.ts'
import { isUserActive } from '../session/user-activity.ts'
import { getErrorCode } from './failure.ts'

/** The base URL is empty, because the gateway serves the site and the API from one origin. */
const client = createApiClient({
  baseUrl: '',
  fetch: (input, init) => {
    if (isUserActive()) return window.fetch(input, init)
    // Marks a background read, because such a read must not extend the session.
    const headers = new Headers(init?.headers)
    headers.set('x-background', 'true')
    return window.fetch(input, { ...init, headers })
  },
})

/**
 * Sends a request. If the server requires a step-up, asks the user for the second factor and then
 * sends the request again.
 */
export const call: ApiClient['call'] = async (endpoint, ...rest) => {
  try {
    return await client.call(endpoint, ...rest)
  } catch (error) {
    if (getErrorCode(error) !== 'STEP_UP_REQUIRED' || !(await requestStepUp())) throw error
    return await client.call(endpoint, ...rest)
  }
}
