import { execFileSync } from 'node:child_process'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addUser,
  openVisit,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../test-gateway.ts'
import { createUploadCorpus } from './corpus.ts'

const SLOWEST_MS = chooseTimeLimit(3_000)

let gateway: TestGateway
let visitor: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
})
afterAll(() => gateway?.stop())

async function upload(bytes: Buffer): Promise<{ status: number; tookMs: number; photo: string }> {
  const form = new FormData()
  form.set('photo', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'x.png')
  const began = performance.now()
  const response = await fetch(`${gateway.url}/api/v1/users/me/photo`, {
    method: 'PUT',
    headers: { cookie: visitor.cookie, 'x-xsrf-token': visitor.csrfToken },
    body: form,
  })
  const body = (await response.json()) as { data?: { user: { photo: string } } }
  const tookMs = performance.now() - began
  return { status: response.status, tookMs, photo: body.data?.user.photo ?? '' }
}

async function download(photo: string): Promise<Buffer> {
  const response = await fetch(`${gateway.url}${photo}`, { headers: { cookie: visitor.cookie } })
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  return Buffer.from(await response.arrayBuffer())
}

/** Lists the parts of a stored image that are not pixels. */
async function findProblems(stored: Buffer): Promise<readonly string[]> {
  const { format, exif, icc, width = 0, height = 0 } = await sharp(stored).metadata()
  const text = stored.toString('latin1')
  const end = format === 'png' ? stored.indexOf('IEND', 0, 'latin1') + 8 : stored.length
  return [
    ...(format === 'png' || format === 'jpeg' ? [] : [`is ${format}`]),
    ...(exif === undefined ? [] : ['has exif']),
    ...(icc === undefined ? [] : ['has a profile']),
    ...(/script|HALT_COMPILER|canary|OpenAction/.test(text) ? ['has a payload'] : []),
    ...(end === stored.length ? [] : ['goes on behind its end']),
    ...(width <= 2_000 && height <= 2_000 ? [] : ['is too large']),
  ]
}

describe('T30 a corpus of hostile files', () => {
  test('is refused, or stored as nothing but a new picture', async () => {
    const corpus = await createUploadCorpus()
    expect(corpus.length).toBeGreaterThanOrEqual(50)
    const wrong: string[] = []
    const seen = { stored: 0, refused: 0 }
    for (const { name, bytes } of corpus) {
      const { status, tookMs, photo } = await upload(bytes)
      if (tookMs > SLOWEST_MS) wrong.push(`${name} took ${Math.round(tookMs)} ms`)
      if (status === 200) {
        seen.stored += 1
        const problems = await findProblems(await download(photo))
        wrong.push(...problems.map((problem) => `${name} ${problem}`))
      } else if ([400, 413, 415].includes(status)) seen.refused += 1
      else wrong.push(`${name} answers ${status}`)
    }
    expect(wrong).toEqual([])
    expect(seen.stored).toBeGreaterThan(10)
    expect(seen.refused).toBeGreaterThan(30)
  })

  test('its sabotaged twin: the image library with its defaults accepts other files', () => {
    // A child process decodes these formats, because their decoders are disabled in this process.
    const script = `
      import sharp from 'sharp'
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
      const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
      for (const bytes of [svg, gif]) process.stdout.write((await sharp(bytes).metadata()).format + ' ')`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect(output.trim()).toBe('svg gif')
  })
})
