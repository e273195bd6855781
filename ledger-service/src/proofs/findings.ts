export const PROBLEMS_MAX = 100

export interface Findings {
  add(problem: string): void
  addProblems(problems: readonly string[]): void
  /** Adds a problem of one event. */
  addProblemAt(seq: bigint, wrong: string): void
  getFirstBadSeq(): bigint | null
  listProblems(): readonly string[]
}

/** Collects the first `PROBLEMS_MAX` problems, because a replaced log would have millions. */
export function createFindings(): Findings {
  const problems: string[] = []
  let firstBadSeq: bigint | null = null
  const add = (problem: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem)
  }
  return {
    add,
    addProblems: (all) => {
      for (const problem of all) add(problem)
    },
    addProblemAt: (seq, wrong) => {
      if (firstBadSeq === null || seq < firstBadSeq) firstBadSeq = seq
      add(`event ${seq}: ${wrong}`)
    },
    getFirstBadSeq: () => firstBadSeq,
    listProblems: () => problems,
  }
}
