import { useEffect, useState } from 'react'

const pauseMilliseconds = 800

/**
 * The text as it was when typing last paused: whoever has not touched it for so long has finished, or stopped to think.
 * @returns that text, and a function that settles what stands there now, for leaving the field
 */
export function useSettled(text: string): [settled: string, settle: () => void] {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
  return [settled, () => setSettled(text)]
}
