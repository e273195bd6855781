import type { Logger } from 'pino'
import type { Tracer } from './tracer.ts'
import type { TracingConfig } from './tracing-config.ts'

const LOG_PAUSE_MS = 60_000

/**
 * Creates the tracer of a process. Returns null if traces are off. The OpenTelemetry packages are
 * then not loaded.
 */
export async function startTracing(
  config: TracingConfig | null,
  { name, log }: { name: string; log: Logger },
): Promise<Tracer | null> {
  if (config === null) return null
  const { createOtlpTracer } = await import('./otlp-tracer.ts')
  let loggedAtMs = Number.NEGATIVE_INFINITY
  // A collector that does not answer must not fill the log.
  const onLost = (error: Error | undefined): void => {
    if (performance.now() - loggedAtMs < LOG_PAUSE_MS) return
    loggedAtMs = performance.now()
    log.warn({ err: error }, 'spans were lost, because the collector did not accept them')
  }
  const { origin } = new URL(config.url)
  log.info({ origin, ratio: config.ratio }, 'traces are sent')
  return createOtlpTracer({ config, name, onLost })
}
