import { type Description, type PartSink, readArchive, writeArchive } from './archive.ts'

/** Writes an archive again with changed content, for tests of what an import refuses. */
export async function rewriteArchive(change: {
  file: string
  to: string
  passphrase: string
  changePart?: (name: string, content: Buffer) => Buffer
  changeDescription?: (description: Description) => Description
}): Promise<void> {
  const { file, to, passphrase, changePart = (_, content) => content } = change
  const { changeDescription = (description) => description } = change
  const found: { name: string; content: Buffer }[] = []
  const openPart = async (name: string): Promise<PartSink> => {
    const blocks: Buffer[] = []
    return {
      write: async (block) => void blocks.push(Buffer.from(block)),
      end: async () => void found.push({ name, content: Buffer.concat(blocks) }),
    }
  }
  const { format: _, parts: __, ...description } = await readArchive({ file, passphrase, openPart })
  async function* listParts() {
    for (const { name, content } of found) {
      yield { name, content: toStream(changePart(name, content)) }
    }
  }
  await writeArchive({
    file: to,
    passphrase,
    description: changeDescription(description),
    parts: listParts(),
  })
}

async function* toStream(content: Buffer) {
  yield content
}
