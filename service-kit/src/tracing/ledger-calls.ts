import { getCurrentTraceparent, runInSpan, type Tracer } from './tracer.ts'

/** The part of a call of the ledger client that its span names. */
interface TracedCall {
  path: string
  commands: readonly { type: string }[]
}

type TraceCall = <Result>(
  call: TracedCall,
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
) => Promise<Result>

/**
 * Returns the function with which a ledger client traces its calls. A command always has a span. A
 * query has a span only as a part of another span, because the loops of the workers ask again and
 * again.
 */
export function createCallTracer(tracer: Tracer): TraceCall {
  return (call, send) => {
    const { path, commands } = call
    if (commands.length === 0 && getCurrentTraceparent() === null) return send({})
    const type = getCommonType(commands)
    const attributes = {
      'cairn.command.type': type,
      'cairn.commands': commands.length > 0 ? commands.length : null,
    }
    const name = `ledger ${type ?? path.replace('/v1/', '')}`
    return runInSpan(tracer, { name, kind: 'client', attributes }, (span) =>
      send(span === null ? {} : { traceparent: span.traceparent }),
    )
  }
}

/** Returns the type of the commands; null if there are none or if they have several types. */
function getCommonType(commands: TracedCall['commands']): string | null {
  const [first] = commands
  if (first === undefined) return null
  return commands.every(({ type }) => type === first.type) ? first.type : null
}
