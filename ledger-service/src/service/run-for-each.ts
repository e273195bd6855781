/**
 * Runs work for each item, at most `atOnce` at a time. If the work fails for some items, completes
 * it for the others, and then throws the error of the first of these items.
 */
export async function runForEach<Item>(
  { items, atOnce }: { items: readonly Item[]; atOnce: number },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failed = new Map<number, unknown>()
  const left = items.entries()
  async function runNext(): Promise<void> {
    for (const [index, item] of left) {
      await work(item).catch((error: unknown) => failed.set(index, error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  const [first] = [...failed].toSorted(([one], [other]) => one - other)
  if (first !== undefined) throw first[1]
}
