import fs from 'node:fs'

/** Two concurrent starts may both have prepared the folder: the first rename wins, the other copy is deleted. */
export function moveIntoPlace(prepared: string, place: string) {
  try {
    fs.renameSync(prepared, place)
  } catch (error) {
    fs.rmSync(prepared, { recursive: true })
    if (!fs.existsSync(place)) throw error
  }
}
