export const PROBLEMS_MAX = 100

export interface Findings {
  add(problem: string): void
  addProblems(problems: readonly string[]): void
  /** Adds a problem of one event. */
  addProblemAt(seq: bigint, wrong: string): void
  /** Adds problems that another thread collected. */
  addFindings(others: { problems: readonly string[]; firstBadSeq: bigint | null }): void
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
  const addProblems = (all: readonly string[]) => {
    for (const problem of all) add(problem)
  }
  const addBadSeq = (seq: bigint) => {
    if (firstBadSeq === null || seq < firstBadSeq) firstBadSeq = seq
  }
  return {
    add,
    addProblems,
    addProblemAt: (seq, wrong) => {
      addBadSeq(seq)
      add(`event ${seq}: ${wrong}`)
    },
    addFindings: (others) => {
      if (others.firstBadSeq !== null) addBadSeq(others.firstBadSeq)
      addProblems(others.problems)
    },
    getFirstBadSeq: () => firstBadSeq,
    listProblems: () => problems,
  }
}
