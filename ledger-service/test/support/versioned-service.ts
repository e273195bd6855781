import { pino } from 'pino'
import { readServeConfig } from '../../src/service/config.ts'
import { startService } from '../../src/service/start-service.ts'
import { createVersionedModel } from './versioned-model.ts'

// Runs the ledger service with the rules up to the version in the first argument. With a second
// argument, the service falsely reports the second argument as its version; the check of versions
// must detect the mistake.

const [known = '', stated = known] = process.argv.slice(2)
const config = readServeConfig(process.env)
const log = pino({ name: 'ledger', level: config.logLevel })
const model = { ...createVersionedModel(Number(known)), version: Number(stated) }
const service = await startService(config, log, { model })
process.once('SIGTERM', () => void service.stop().then(() => process.exit()))
