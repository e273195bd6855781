import type { IncomingMessage } from 'node:http'
import { describeFileTooLarge } from '@cairn/gateway-contracts'
import {
  Busboy,
  type BusboyConfig,
  type BusboyFileStream,
  type BusboyHeaders,
} from '@fastify/busboy'
import { HttpFailure } from './failure.ts'

const FIELDS_MAX = 20
const UPLOAD_TIMEOUT_MS = 60_000

/** Limits of a form. The limit of the file size depends on the endpoint. */
export const FORM_LIMITS = {
  files: 1,
  fields: FIELDS_MAX,
  fieldSize: 8 * 1024,
  fieldNameSize: 100,
  parts: FIELDS_MAX + 1,
  headerPairs: 20,
  headerSize: 4_096,
} as const

const PARTS_LIMITS = ['fieldsLimit', 'filesLimit', 'partsLimit'] as const

/** An uploaded file before its content is checked. */
export interface ReceivedFile {
  bytes: Buffer
}

export interface ReceivedForm {
  fields: Record<string, string>
  file: ReceivedFile | null
}

/**
 * Reads a form with at most one file, in the given field. Throws as soon as a limit is exceeded.
 */
export async function readForm(
  request: IncomingMessage,
  options: {
    fileField: string | null
    fileBytesMax: number
    limits?: Partial<Record<keyof typeof FORM_LIMITS, number>>
  },
): Promise<ReceivedForm> {
  // The client may have disconnected before, and the request would emit nothing more.
  if (request.destroyed && !request.complete) {
    throw createInvalidFormFailure('The upload was cut off')
  }
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedForm>()
  const { fileBytesMax: fileSize, limits = FORM_LIMITS } = options
  const parser = openParser(request, { ...limits, fileSize })
  // Without a prototype, `__proto__` is an ordinary field name.
  const fields: Record<string, string> = Object.create(null)
  let collected: Promise<Buffer | null> | null = null

  const timer = setTimeout(
    () => stop(createTooLargeFailure('The upload took too long')),
    UPLOAD_TIMEOUT_MS,
  )
  function stop(failure: HttpFailure): void {
    clearTimeout(timer)
    request.unpipe(parser)
    request.resume()
    reject(failure)
  }

  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) return stop(createTooLargeFailure(`${name} is too long`))
    if (Object.hasOwn(fields, name)) return stop(createInvalidFormFailure(`${name} was sent twice`))
    fields[name] = value
  })
  parser.on('file', (name, stream) => {
    const isWanted = name === options.fileField && collected === null
    if (!isWanted)
      stop(
        createInvalidFormFailure(
          'This form does not accept this file field, or accepts only one file',
        ),
      )
    // The form is refused when the file exceeds the limit, because the client may never send the
    // end of the file.
    stream.once('limit', () => stop(createTooLargeFailure(describeFileTooLarge(fileSize))))
    collected = collect(stream, isWanted)
    collected.catch(stop)
  })
  const refuseTooMany = () => stop(createTooLargeFailure('The form has too many parts'))
  for (const limit of PARTS_LIMITS) parser.on(limit, refuseTooMany)
  parser.on('error', () => stop(createInvalidFormFailure('The form cannot be read')))
  request.once('close', () => {
    if (!request.complete) stop(createInvalidFormFailure('The upload was cut off'))
  })
  parser.on('finish', async () => {
    clearTimeout(timer)
    const bytes = (await collected?.catch(() => null)) ?? null
    resolve({ fields, file: bytes === null ? null : toFile(bytes) })
  })
  request.pipe(parser)
  return promise
}

function openParser(request: IncomingMessage, limits: BusboyConfig['limits']) {
  try {
    // The cast is safe because the caller has checked the content type.
    return new Busboy({ headers: request.headers as BusboyHeaders, limits })
  } catch {
    throw createInvalidFormFailure('The form cannot be read')
  }
}

async function collect(stream: BusboyFileStream, isWanted: boolean): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) if (isWanted) chunks.push(chunk)
  return isWanted ? Buffer.concat(chunks) : null
}

/** Returns null for an empty file. Browsers send an empty file if the user chose no file. */
function toFile(bytes: Buffer): ReceivedFile | null {
  return bytes.length === 0 ? null : { bytes }
}

function createTooLargeFailure(message: string): HttpFailure {
  return new HttpFailure(413, 'TOO_LARGE', message)
}

function createInvalidFormFailure(message: string): HttpFailure {
  return new HttpFailure(400, 'INVALID', message)
}
