import { pino } from 'pino'
import { z } from 'zod'
import { readServeConfig } from '../../src/service/config.ts'
import { type LedgerService, startService } from '../../src/service/start-service.ts'
import { CONTROL_HOLES, type ControlHole } from './dual-control-holes.ts'

// Runs the ledger service for several tests in sequence, because one process for each test would
// take too long to start. `api-gateway/testing/ledger-process.ts` controls this process over Node's
// IPC channel.

// The cast is safe, because the keys are the names of the disabled checks.
const HOLES = Object.keys(CONTROL_HOLES) as [ControlHole, ...ControlHole[]]

const Request = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    id: z.number(),
    environment: z.record(z.string(), z.string()),
    /** The check of dual control that is disabled in this service. Null if no check is disabled. */
    hole: z.enum(HOLES).nullable(),
  }),
  z.object({ type: z.literal('stop'), id: z.number() }),
])

const services = new Map<number, LedgerService>()

process.on('message', (message) => {
  const request = Request.parse(message)
  answer(request).then(
    () => process.send?.({ id: request.id, error: null }),
    (error: unknown) => process.send?.({ id: request.id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function answer(request: z.infer<typeof Request>): Promise<void> {
  if (request.type === 'start') {
    const config = readServeConfig({ ...process.env, ...request.environment })
    const log = pino({ name: 'ledger', level: config.logLevel })
    const replacing = request.hole === null ? {} : { model: CONTROL_HOLES[request.hole] }
    services.set(request.id, await startService(config, log, replacing))
    return
  }
  const service = services.get(request.id)
  services.delete(request.id)
  await service?.stop()
}
