import { useEffect, useState } from 'react'

const debounceMilliseconds = 800

/**
 * The text as of the last pause in typing of at least 800 ms.
 * @returns the debounced text, and a function that applies the current text at once, for blur
 */
export function useDebouncedText(text: string): [settled: string, settle: () => void] {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
  return [settled, () => setSettled(text)]
}
