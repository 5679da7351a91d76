/**
 * A copy of something on one backend or device, such as bases. It is made when it is first needed, and calls at the
 * same time share it.
 */
export class ResidentCopy<Resident extends { release(): void }> {
  private resident: Promise<Resident> | undefined;

  /**
   * The copy; `load` makes it unless there is one or one is being made. After a failure the next call tries again. Give
   * `load` an abort signal only if no other call can wait for the copy.
   */
  get(load: () => Promise<Resident>): Promise<Resident> {
    if (this.resident !== undefined) return this.resident;
    const loading = load();
    loading.catch(() => {
      if (this.resident === loading) this.resident = undefined;
    });
    this.resident = loading;
    return loading;
  }

  /** Frees the copy, if there is one, as soon as it has been made. */
  release(): void {
    this.resident?.then((resident) => resident.release()).catch(() => undefined);
    this.resident = undefined;
  }
}
