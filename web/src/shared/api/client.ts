import { type ApiClient, createApiClient } from '@cairn/gateway-contracts'

import { requestStepUp } from '../session/step-up.ts'
import { isUserActive } from '../session/user-activity.ts'
import { codeOf } from './failure.ts'

/** The gateway serves this page and its API from one origin. */
const client = createApiClient({
  baseUrl: '',
  fetch: (input, init) => {
    if (isUserActive()) return window.fetch(input, init)
    // What the page reads by itself is no use of the session.
    const headers = new Headers(init?.headers)
    headers.set('x-background', 'true')
    return window.fetch(input, { ...init, headers })
  },
})

/** Where the server wants the second factor once more, the very same request is sent again after it. */
export const call: ApiClient['call'] = async (endpoint, ...rest) => {
  try {
    return await client.call(endpoint, ...rest)
  } catch (error) {
    if (codeOf(error) !== 'STEP_UP_REQUIRED' || !(await requestStepUp())) throw error
    return await client.call(endpoint, ...rest)
  }
}
