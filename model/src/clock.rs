//! Times, ticks, and the readings of the holders' clocks.

/// Milliseconds of ID time or of a clock. The model counts them from an arbitrary point in time.
pub type Millis = i16;

/// A tick: the value of an ID's time field.
pub type Tick = i16;

/// The start and the length of ticks.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The length of a tick, in ms; at least 1.
    pub unit: Millis,
    /// The start of tick 0, in ms.
    pub epoch: Millis,
}

impl Scale {
    /// The tick that contains a time.
    pub const fn tick(self, time: Millis) -> Tick {
        (time - self.epoch).div_euclid(self.unit)
    }

    /// The first tick that starts at or after a time.
    pub const fn tick_from(self, time: Millis) -> Tick {
        (time - self.epoch + self.unit - 1).div_euclid(self.unit)
    }

    /// The time at which a tick starts.
    pub const fn start(self, tick: Tick) -> Millis {
        self.epoch + tick * self.unit
    }
}

/// The possible readings of the holders' wall clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// Any time, at every reading.
    Any,
    /// True time with a constant error per holder, of at most the given ms in either direction.
    Within(Millis),
}
