extension Camerad {
  /// What the help says of cameras and of the program.
  static let discussion = """
    SPEC is one of
      synthetic[:1920x1080@30[,format=MJPG]]
      v4l2:/dev/video0[,1280x720@30,format=YUYV]
      files:DIR[,@25]       the JPEGs in a folder, over and over
      files:FILE[,@25]      one JPEG, over and over
      files:DIR,1920x1080@30,format=YUYV    raw frames
      auto                  the first real camera, else the synthetic one
    A comma of a path is written with a backslash before it. Links in DIR that lead nowhere are \
    left out.

    The synthetic camera paints a moving picture of 160x120 to 4096x2304 pixels, 1 to 240 times a second, in \
    MJPG, YUYV, UYVY, NV12, YU12, GREY, RGB3, BGR3, RGGB, RG10, RG12, pRCC, RG16, Y10, Y12, Y16, Z16 or RGBP. \
    Beside the controls of a real camera it has some that cause faults, so that programs can be tried with them:

      disconnect=true            is unplugged until disconnect=false
      disconnect_for=2000        is unplugged for 2000 ms
      inject_busy=true           cannot start, as if another program had it
      inject_stall=true          sends nothing, without an error
      inject_error_buffers=5     flags the next 5 frames as corrupted
      inject_truncated=5         cuts off the next 5 frames
      inject_frame_loss=5        loses the next 5 frames
      inject_streamon_error      fails at the next start
      inject_fatal_error         breaks down, and is opened again
      inject_flash_fault=1       lets its flash report a fault (1: over-voltage), 0 ends it

    For example: camctl controls set disconnect_for=2000

    Its pictures show a change of a control in the next frame, or with settle=1-6 after one to six frames, as seed=7 \
    decides; with facts=off it says nothing of how it took its frames, with zoom=off it has no zoom, as many cameras do not, and with warmup=8 its first eight frames after a start are too dark, and with free=on its frames begin with its stream, as those of real cameras do, instead of at multiples of their interval.

    Each SPEC may end in how the camera is built in, for `camctl devices`: position=front, back or external, and \
    rotation=90, 180 or 270, the degrees clockwise by which its pictures must be turned to stand upright:
      v4l2:/dev/video0,1280x720@30,position=front,rotation=180
    calibration=FILE names the calibration for `camctl calibration`, as ROS's camera_calibration writes it.

    A camera stays open, so that a photo needs no start, or with idle=TIME it is closed when nobody has used it for \
    that long, and opened again for the next subscriber, photo or movie, whose first frames may be dark; idle=warm \
    is the default. For photos of the largest size it changes its format, unless stills=stream says that they have \
    the stream's size. For example:
      v4l2:/dev/video0,1280x720@30,idle=30s
    A flash that is a device of its own, as a LED on a board, is named by its node, and its controls are among those \
    of the camera: flash=NODE. `head /sys/class/video4linux/v4l-subdev*/name` shows which is which. For example:
      v4l2:/dev/video0,flash=/dev/v4l-subdev3
    The files of photos say where the camera is and what lens it has, if gps=NORTH/EAST or gps=NORTH/EAST/METRES, in \
    degrees, and lens=MM/F tell it:
      v4l2:/dev/video0,gps=47.3769/8.5417/408,lens=4.2mm/f2.8
    A Bayer sensor that is covered does not deliver 0. black=LEVEL/WHITE says what it delivers, and the highest sample \
    of the same format; a format of other bits has it in proportion. Photos and DNG files of it then have true \
    shadows and colours:
      v4l2:/dev/video0,format=RG10,black=64/1023
    A depth camera delivers Z16 and is a camera of its own. With depth=NAME its nearest distances can go with the \
    photos of another camera, for `camctl capture --depth`:
      --camera 'front=v4l2:/dev/video0,depth=tof' --camera 'tof=v4l2:/dev/video2,640x480@30,format=Z16'

    --microphone names what gives movies their sound (camctl record --sound), open only while a movie needs it: \
    alsa:DEVICE, where DEVICE is as camctl microphones lists it or a link in /dev/snd/by-id, or synthetic, which hears \
    a beep of 1 kHz in the first tenth of each second of CLOCK_MONOTONIC. With microphone=NAME behind its SPEC a camera \
    has one of its own. A key that is limited to some cameras needs the microphone's name in its list too. For example:
      --microphone desk=alsa:hw:CARD=Device,DEV=0 --camera front=v4l2:/dev/video0,microphone=desk
      --microphone test=synthetic:rate=44100,channels=2,drift=80ppm,lasts=5s (unplugged for a second after 5 s)

    --adopt makes cameras of devices that are there or are plugged in later. RULE names at least one of driver, \
    model and identity, as `camctl devices --json` lists them, with * and ? as in a shell; behind them it may have a \
    format and how they are built in:
      --adopt 'usb-*=driver=uvcvideo'
      --adopt 'front=model=*C920*,1280x720@30,format=MJPG,position=front'
    In NAME, eight digits take the place of a *. They are always the same for a device. Without a *, one device at a \
    time is adopted. The first rule that matches a device counts; devices that --camera names are left to that. When \
    an adopted device has been gone for 5 s, its camera goes too, and returns under its name. A node adopts 8 \
    cameras at most.

    What clients change of cameras by `camctl configure` and `camctl controls set` ends with the node. With --remember \
    it is kept, and the next start makes it so again; `camctl status` shows it, and `camctl configure --forget` ends it. \
    A configuration file says for each camera how it starts: `remember`, `mode`, `preset`, `minimum_rate`, \
    `maximum_rate`, `capture`, `preview`, `streams`, `controls`, `subject_area` and `live_photos`, and the options above. What the camera does not take \
    is in its status, and it starts all the same:
      cameras:
        front:
          source: v4l2:/dev/video0,1280x720@30
          remember: true
          idle: 30s
          maximum_rate: 10
          capture: {rotation: 90, mirrored: true}
          streams: {preview: {maximum_rate: 5, quality: 60}, full: {enabled: false}}
          controls: {exposure.mode: locked, exposure.duration: 10ms}
          live_photos: {before: 1.5s, after: 1.5s}

    It prints one line when it is ready, and runs until SIGTERM, SIGINT or SIGHUP (not under nohup):
      camerad: ready control=tcp://... events=tcp://... frames=tcp://...
    Without a terminal, as a service for example, SIGHUP does not end it: it reads the file of --config and the keys again. \
    Cameras that are new, changed or gone come and go, and new rules, starts and the level of the log hold at once; the \
    other cameras go on. A camera with another source, flash or black level, or that may become idle now, is another one, and its movie ends. It logs what needs another start. A mistake in the file changes nothing.

    The library keeps every photo and movie until somebody deletes it (camctl delete). Ten photos of 400 KiB a second \
    are 14 GiB an hour, so programs that need no copy ask for photos that are not kept (camctl capture --transient). \
    When only --reserve is left on the disk, photos and movies fail with STORAGE_FULL; photos that are not kept are \
    still taken. SIZE has a unit: B, KiB, MiB, GiB or TiB. A quota in the file of --config lets the node remove the \
    oldest by itself, by size, age (30d) and free space, of all cameras and of single ones:
      quota: {size: 50GiB, age: 30d, free: 2GiB, cameras: {front: {size: 10GiB}}}

    --group holds for files that are made from then on. To open older photos and movies to the group, or to close \
    the library again:
      chgrp -R GROUP LIBRARY/*/; chmod -R g+rX LIBRARY/*/
      chmod -R go= LIBRARY
    tcp on loopback is open to every user of the machine. To close it, listen on ipc only, in a folder that is \
    there and that the group may enter:
      --control ipc:///run/camerabus/control
      --events ipc:///run/camerabus/events
      --frames ipc:///run/camerabus/frames

    --announce tells the network of the node by Avahi, as _camerabus._tcp: its name, its control port, the release and \
    the protocol, and the fingerprint of its key, or that it needs none. Whoever finds it still needs a key. A node that \
    listens on loopback alone is not announced. Without an Avahi daemon the node runs all the same, and is announced \
    when there is one.

    Under systemd, log lines carry the journal's priorities, and the node says when it is ready and that its threads turn.

    Exit status:
      0   ended by a signal
      1   failed
      64  wrong usage
      70  a thread of the node was stuck for ten seconds: the log says which
      78  a mistake in the configuration file

    An error is one line on stderr.
    """
}
