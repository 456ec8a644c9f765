// The queues of p-queue and fastq serve by arrival or priority, so clients could not take turns, see docs/decisions/0004.

/**
 * A queue that clients share fairly: they are served round-robin, so a client that asks for much waits for its own tasks only.
 * A client is whoever a task is pushed for, such as a network.
 */
export type FairQueue<Task> = ReturnType<typeof createFairQueue<Task>>

export function createFairQueue<Task>() {
  const tasksByClient = new Map<string, Task[]>() // in round-robin order: the first client is served next
  let size = 0

  const remove = (client: string, task: Task): void => {
    const own = tasksByClient.get(client)
    const place = own?.indexOf(task) ?? -1
    if (!own || place < 0) return
    own.splice(place, 1)
    if (own.length === 0) tasksByClient.delete(client)
    size--
  }

  /** The client with the most tasks, if it has at least two more than this one: it can lose one and still have no fewer. */
  function greediest(comparedTo: string): [string, Task[]] | undefined {
    let most: [string, Task[]] | undefined
    for (const each of tasksByClient) if (each[1].length > (most?.[1].length ?? 0)) most = each
    return most && most[1].length > (tasksByClient.get(comparedTo)?.length ?? 0) + 1 ? most : undefined
  }

  return {
    size: () => size,
    push(client: string, task: Task): void {
      const own = tasksByClient.get(client)
      if (own) own.push(task)
      else tasksByClient.set(client, [task])
      size++
    },
    /** Removes and returns the oldest task of the client whose turn it is. */
    shift(): Task | undefined {
      const [first] = tasksByClient
      if (!first) return undefined
      const [client, own] = first
      const next = own.shift()
      tasksByClient.delete(client)
      if (own.length > 0) tasksByClient.set(client, own) // last in turn
      size--
      return next
    },
    /** Takes this task out of the queue, if it is still there. */
    remove,
    /** Whether `displaceFor` would find a task. */
    canDisplaceFor: (client: string): boolean => greediest(client) !== undefined,
    /**
     * Where the queue is full: removes and returns the newest task of the client with the most, to make room for one of this client.
     * @returns undefined when no client has at least two more tasks than this one
     */
    displaceFor(client: string): Task | undefined {
      const [from, tasks] = greediest(client) ?? []
      const newest = tasks?.at(-1)
      if (from !== undefined && newest !== undefined) remove(from, newest)
      return newest
    },
  }
}
