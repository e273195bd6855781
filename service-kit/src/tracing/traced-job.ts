import { parseTraceparent } from './traceparent.ts'
import { runInSpan, type Tracer } from './tracer.ts'

/** The members of a job's data that its span uses. They come from the tables of jobs. */
interface JobData {
  traceparent?: unknown
  requestId?: unknown
  seq?: unknown
}

/** Runs a job as a span that continues the trace in the data of the job. */
export function runJobInSpan<Result>(
  tracer: Tracer | null,
  { queue, id = null, data = {} }: { queue: string; id?: string | null; data?: JobData },
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracer === null) return run()
  const { traceparent, requestId, seq } = data
  return runInSpan(
    tracer,
    {
      name: `job ${queue}`,
      kind: 'consumer',
      parent: parseTraceparent(traceparent) === null ? null : String(traceparent),
      attributes: {
        'cairn.job.queue': queue,
        'cairn.job.id': id,
        'cairn.request.id': typeof requestId === 'string' ? requestId : null,
        'cairn.event.seq': typeof seq === 'string' ? seq : null,
      },
    },
    run,
  )
}
