import { fork } from 'node:child_process'
import { join } from 'node:path'

/**
 * Runs a file of this folder in a process of its own, as the service's real callers are: what the
 * bench itself holds in memory would pause it, and be measured with the service.
 */
export async function runInChild<Result>(file: string, job: object): Promise<Result> {
  const child = fork(join(import.meta.dirname, file))
  try {
    return await new Promise<Result>((resolve, reject) => {
      child.once('message', (message) => {
        // Both ends are this folder's own.
        const answer = message as { result: Result } | { problem: string }
        if ('problem' in answer) reject(new Error(answer.problem))
        else resolve(answer.result)
      })
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
      child.send(job)
    })
  } finally {
    child.kill()
  }
}

/** The child's end of it: one job, one answer. */
export function answerJob<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.once('message', (message) => {
    // Sent by this folder's own files.
    run(message as Job).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    )
  })
  process.once('disconnect', () => process.exit())
}
