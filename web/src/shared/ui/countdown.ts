import { useEffect, useState } from 'react'

/** Returns the seconds left and a function that restarts the countdown. */
export function useCountdown(startSeconds: number): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(startSeconds)
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return [left, setLeft]
}
