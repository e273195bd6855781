import type { Answer, Command, DryRunAnswer, TraceCall } from '@cairn/ledger-contracts'
import { createCallTracer } from '@cairn/service-kit/tracing/ledger-calls'
import {
  getCurrentTraceparent,
  getErrorType,
  type Span,
  type Tracer,
} from '@cairn/service-kit/tracing/tracer'
import type { Batch } from '../../log/batch.ts'
import { listMembers } from '../../log/entry.ts'
import type { Feed } from '../../log/feed.ts'
import { writeBatch } from '../../log/write-batch.ts'
import type { Writer } from '../../log/writer.ts'
import { createEventTraces, type EventTraces } from './event-traces.ts'

/** The parts that add spans to a ledger. Without them, the ledger runs the same code unwrapped. */
export interface LedgerTracing {
  /** Adds a span for each batch that is written. */
  writerOptions: { writeBatch: typeof writeBatch }
  /** Passes traces on to the active instance. */
  electionOptions: { traceCall: TraceCall }
  /** Adds a span for each command. */
  wrapWriter(writer: Writer): Writer
  /** Adds the traceparents of the events that were recorded lately. */
  wrapFeed(feed: Feed): Feed
}

/** The spans of the commands that are not answered yet. A batch finds its commands by identity. */
type CommandSpans = WeakMap<Command, Span>

export function createLedgerTracing(tracer: Tracer, ledger: number): LedgerTracing {
  const spans: CommandSpans = new WeakMap()
  const traces = createEventTraces()

  function startSpan(command: Command): Span {
    const { type, requestId } = command
    const span = tracer.start({
      name: `command ${type}`,
      kind: 'server',
      parent: getCurrentTraceparent(),
      attributes: {
        'cairn.ledger': ledger,
        'cairn.command.type': type,
        'cairn.request.id': requestId,
      },
    })
    spans.set(command, span)
    return span
  }

  /** Ends the spans of the commands when they are answered. A full queue answers null. */
  function follow<A extends Answer | DryRunAnswer>(
    commands: readonly Command[],
    submit: () => Promise<readonly A[]> | null,
  ): Promise<readonly A[]> | null {
    const started = commands.map(startSpan)
    const answering = submit()
    if (answering === null) {
      for (const span of started) endSpan(span, { outcome: 'failed', code: 'OVERLOADED' })
      return null
    }
    return answering.then(
      (answers) => {
        for (const [index, span] of started.entries()) {
          const answer = answers[index]
          // If another instance has recorded the event, no batch of this process contains it.
          if (answer?.outcome === 'recorded' && !answer.isReplay)
            traces.add(answer.event.seq, span.traceparent)
          endSpan(span, answer)
        }
        return answers
      },
      (error: unknown) => {
        for (const span of started) {
          span.fail(getErrorType(error))
          span.end()
        }
        throw error
      },
    )
  }

  return {
    writerOptions: {
      writeBatch: async (batch, store) => {
        const span = startBatchSpan(tracer, { ledger, batch, spans })
        // The traces are known before the commit, because a follower can read the events before the
        // commands are answered.
        const seqs = addTraces(traces, { batch, spans })
        try {
          const outcome = await writeBatch(batch, store)
          span.set({ 'cairn.batch.outcome': outcome })
          if (outcome !== 'written') traces.remove(seqs)
          return outcome
        } catch (error) {
          traces.remove(seqs)
          span.fail(getErrorType(error))
          throw error
        } finally {
          span.end()
        }
      },
    },
    electionOptions: { traceCall: createCallTracer(tracer) },
    wrapWriter: (writer) => ({
      ...writer,
      submit: (commands, lane) => follow(commands, () => writer.submit(commands, lane)),
      submitLinked: (commands, lane) => follow(commands, () => writer.submitLinked(commands, lane)),
      submitDryRun: (commands, lane) => follow(commands, () => writer.submitDryRun(commands, lane)),
    }),
    wrapFeed: (feed) => ({
      ...feed,
      read: async (page) => {
        const read = await feed.read(page)
        return { ...read, traceparents: traces.find(read.events) }
      },
    }),
  }
}

/** A batch has many callers, so its span is the root of a trace and links to its commands. */
function startBatchSpan(
  tracer: Tracer,
  { ledger, batch, spans }: { ledger: number; batch: Batch; spans: CommandSpans },
): Span {
  const { size: from } = batch.from.frontier
  const { size: to } = batch.to.frontier
  const links = batch.entries.flatMap((entry) =>
    listMembers(entry).flatMap(({ command }) => spans.get(command)?.traceparent ?? []),
  )
  return tracer.start({
    name: 'batch',
    kind: 'internal',
    parent: null,
    links,
    attributes: {
      'cairn.ledger': ledger,
      'cairn.batch.commands': batch.size,
      'cairn.batch.events': String(to - from),
      'cairn.batch.first_seq': to > from ? String(from) : null,
    },
  })
}

/** Adds the trace of each new event of the batch. Returns the numbers of these events. */
function addTraces(
  traces: EventTraces,
  { batch, spans }: { batch: Batch; spans: CommandSpans },
): readonly bigint[] {
  const seqs: bigint[] = []
  for (const [index, entry] of batch.entries.entries()) {
    const answers = [batch.answers[index]].flat()
    for (const [place, { command }] of listMembers(entry).entries()) {
      const answer = answers[place]
      const span = spans.get(command)
      if (span === undefined || answer?.outcome !== 'recorded' || answer.isReplay) continue
      traces.add(answer.event.seq, span.traceparent)
      seqs.push(answer.event.seq)
    }
  }
  return seqs
}

/** The parts of an answer that a span may contain. Messages and data of events are left out. */
type SpanAnswer =
  | { outcome: 'refused' | 'failed'; code: string }
  | { outcome: 'recorded'; isReplay: boolean; event: { seq: bigint; type: string } }
  | { outcome: 'accepted' }

function endSpan(span: Span, answer: SpanAnswer | undefined): void {
  if (answer === undefined) span.fail('no answer')
  else if (answer.outcome === 'recorded') {
    const { seq, type } = answer.event
    span.set({
      'cairn.outcome': answer.outcome,
      'cairn.event.seq': String(seq),
      'cairn.event.type': type,
      'cairn.is_replay': answer.isReplay,
    })
  } else if (answer.outcome === 'accepted') span.set({ 'cairn.outcome': answer.outcome })
  else {
    span.set({ 'cairn.outcome': answer.outcome, 'cairn.refusal.code': answer.code })
    if (answer.outcome === 'failed') span.fail(answer.code)
  }
  span.end()
}
